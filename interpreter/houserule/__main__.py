"""`python -m houserule` is the command `houserule`."""

from houserule.cli import main

if __name__ == "__main__":
    main()
