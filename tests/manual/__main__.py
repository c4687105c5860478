"""`python -m tests.manual`: write the tables of the README, the chapters and FORMAT again."""

from tests.manual.tables import documents, filled

for path in documents():
    old = path.read_text(encoding="utf-8")
    if (new := filled(old)) != old:
        path.write_text(new, encoding="utf-8")
        print(path)
