import torch
from torch import fx, nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.bias = nn.Parameter(torch.zeros(4))

    def forward(self, x):
        y = torch.relu(self.lin(x))
        return y.flatten(1) + self.bias

traced: fx.GraphModule = fx.symbolic_trace(Net())
for n in traced.graph.nodes:
    print(n.op, n.name, n.args)
print(traced.code.strip())
"""
placeholder x ()
call_module lin (x,)
call_function relu (lin,)
call_method flatten (relu, 1)
get_attr bias ()
call_function add (flatten, bias)
output output (add,)
def forward(self, x):
    lin = self.lin(x);  x = None
    relu = torch.relu(lin);  lin = None
    flatten = relu.flatten(1);  relu = None
    bias = self.bias
    add = flatten + bias;  flatten = bias = None
    return add
"""
