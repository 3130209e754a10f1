"""The console entry: ``adjudge`` and ``python -m adjudge``."""

import gc

from adjudge._interrupts import take_interrupts


def main() -> None:
    """Run the command line."""
    take_interrupts()
    from adjudge.cli import main as command  # noqa: PLC0415 - now an interrupt has its answer

    try:
        command()
    finally:
        gc.freeze()  # nobody needs to look for garbage in what ends with the process


if __name__ == "__main__":
    main()
