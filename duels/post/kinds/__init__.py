"""All kinds of notices. CONTRIBUTING describes how to add one."""
