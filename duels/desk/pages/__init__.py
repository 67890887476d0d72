"""What the templates of the desk print, made of cases and their evidence."""
