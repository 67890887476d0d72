"""Files that browsers need to install the site."""
