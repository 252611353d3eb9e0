def incomplete(:
    pass
