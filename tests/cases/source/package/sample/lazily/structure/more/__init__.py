"""A package inside a lazy one."""
