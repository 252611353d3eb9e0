"""PDF -> paper: what a paper says and where on the page it says it."""
