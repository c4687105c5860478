"""`python -m tests.manual`: write the tables of the documents, the manual page and the completions again."""

from tests.manual.tables import documents, filled, shell_files

made = {path: filled(path.read_text(encoding="utf-8")) for path in documents()}
for path, text in {**made, **shell_files()}.items():
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
        print(path)
