"""All kinds of notices, one in each module. CONTRIBUTING describes how to add one."""
