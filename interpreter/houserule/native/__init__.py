"""Native speed: a quiet program as WebAssembly, run in the sandbox of `wasmtime`."""
