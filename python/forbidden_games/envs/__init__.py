"""The games as environments of other libraries; each module needs the extra of its name and is imported only on use.

`forbidden_games.envs.gymnasium`: one seat against agents, and many such games side by side.
`forbidden_games.envs.pettingzoo`: all seats, turn by turn. `forbidden_games.envs.openspiel`: registered games.
`docs/environments.md` says which to use.
"""
