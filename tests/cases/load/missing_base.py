"""The model's base is in a package that is not there."""

import absent_lightning as pl


class Net(pl.LightningModule):
    pass
