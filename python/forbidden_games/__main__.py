"""`python -m forbidden_games` is the command line."""

from forbidden_games.cli import main

if __name__ == "__main__":
    main()
