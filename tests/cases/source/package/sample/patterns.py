"""A function whose statements are named by patterns, and statements that patterns must tell apart."""


class Machine:
    def run(self, root, limit=None):
        self.flag = True
        try:
            if isinstance(root, list):
                self.root = root  # at: self.root = root
            else:
                self.root = [root]
            self.graph: list = list(self.root)  # at: self.graph = list(...)
            if hasattr(root, "code"):  # at: after self.graph = ...
                print("code")
            if (
                self.flag  # at: if self.flag and limit is not None: ...
                and limit is not None
            ):
                print("flag")
            name = (  # at: name = str(limit) if limit else ...
                str(limit)
                if limit
                else "none"
            )

            def nested():
                return name

            with self:  # at: with self: ...
                for each in self.graph:  # at: for each in self.graph: ...
                    self.add(each, "one", key=1)  # at: self.add(each, 'one', ...)
                    self.add(each, "two", key=2)  # at: self.add(..., key=2)
                self.done = nested()  # at: after for each in self.graph: ...
        except ValueError as error:
            raise RuntimeError("failed") from error  # at: raise RuntimeError(...) from error
        finally:
            self.flag = False  # at: self.flag = False
        return self.graph  # at: return self.graph

    def add(self, each, kind, key=0):
        return each

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None
