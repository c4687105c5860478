"""`python -m tests.manual`: write the tables of the documents again."""

from tests.manual.tables import documents, filled

made = {path: filled(path.read_text(encoding="utf-8")) for path in documents()}
for path, text in made.items():
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
        print(path)
