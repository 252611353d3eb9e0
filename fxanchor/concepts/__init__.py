"""Mentions -> links: which words of a paper name which definition, and why."""
