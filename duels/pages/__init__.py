"""What templates print, made from what `queries` return: no requests, no writing."""
