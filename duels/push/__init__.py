"""Push notifications on players' devices (Web Push)."""
