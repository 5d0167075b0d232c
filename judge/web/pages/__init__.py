"""The pages, one module a theme.  Each handler reads a request, calls a use case and renders a template."""
