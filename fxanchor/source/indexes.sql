-- Made after the rows are in, which is faster than keeping them while rows come.
CREATE INDEX scope_names ON scopes (name);
CREATE INDEX simple_names ON definitions (simple, kind);
INSERT INTO names SELECT DISTINCT simple FROM definitions WHERE kind != 5; -- parameters are no names to search for
CREATE INDEX star_modules ON stars (module);
CREATE INDEX bases ON subclasses (base);
