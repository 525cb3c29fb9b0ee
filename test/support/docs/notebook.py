# Runs a notebook and prints what its cells show: texts as they are, and of an image its type, the length of its text and
# its alternative text.
import sys

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=400, kernel_name="python3").execute()
for cell in notebook.cells:
    for output in cell.get("outputs", []):
        data = output.get("data", {"text/plain": output.get("text", "")})
        print(data.get("text/plain", ""))
        for kind in data:
            if kind.startswith("image/"):
                print(kind, len(data[kind]), output.metadata.get(kind, {}).get("alt"))
