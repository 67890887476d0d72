"""Messages that are stored and sent later, and the tasks that send them."""
