"""An app that records which processes of the site are running, for `manage.py doctor`."""
