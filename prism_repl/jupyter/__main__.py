"""python -m prism_repl.jupyter: the kernel, as Jupyter starts it."""

from ipykernel.kernelapp import IPKernelApp

from prism_repl.jupyter.kernel import PrismKernel

IPKernelApp.launch_instance(kernel_class=PrismKernel)
