"""An app for disputes and reports, the referees who rule on them, and their rulings."""
