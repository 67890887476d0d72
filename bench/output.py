"""The output format of figures."""

Figure = tuple[str, float, str]


def print_figure(name: str, value: float, unit: str) -> None:
    """Print a figure as a line `name value unit`, with at least three significant digits."""
    digits = 0 if value == int(value) or value >= 1_000 else 2 if value >= 1 else 4
    print(f"{name} {value:.{digits}f} {unit}", flush=True)
