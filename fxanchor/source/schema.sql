-- The index of one package. Names are kept in two parts, scope and simple name, so that each is stored once.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE modules (
    name TEXT PRIMARY KEY, file TEXT NOT NULL, lines INTEGER NOT NULL, doc TEXT NOT NULL, exported TEXT
) WITHOUT ROWID;
CREATE TABLE scopes (id INTEGER PRIMARY KEY, name TEXT NOT NULL, file TEXT NOT NULL);
CREATE TABLE definitions (
    scope INTEGER NOT NULL, simple TEXT NOT NULL, kind INTEGER NOT NULL,
    line INTEGER NOT NULL, end_line INTEGER NOT NULL,
    bases TEXT, annotation TEXT, value TEXT, doc TEXT, alias TEXT, decorators INTEGER,
    PRIMARY KEY (scope, simple)
) WITHOUT ROWID;
CREATE TABLE imports (
    scope INTEGER NOT NULL, simple TEXT NOT NULL, target TEXT NOT NULL, wins INTEGER NOT NULL,
    PRIMARY KEY (scope, simple)
) WITHOUT ROWID;
CREATE TABLE stars (module TEXT NOT NULL, position INTEGER NOT NULL, target TEXT NOT NULL, unseen INTEGER NOT NULL);
CREATE TABLE subclasses (base TEXT NOT NULL, name TEXT NOT NULL);
CREATE TABLE names (simple TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE public (name TEXT PRIMARY KEY, spelling TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE exports (name TEXT PRIMARY KEY) WITHOUT ROWID;
