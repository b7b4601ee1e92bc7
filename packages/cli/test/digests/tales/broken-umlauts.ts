import { edit, fail, read, run, say, type Tale } from './tale.ts';

const IMPORTER = `def read_rows(path: Path) -> Iterator[Row]:
    with open(path, encoding="utf-8", errors="replace") as handle:
        for record in csv.DictReader(handle, delimiter=";"):
            yield Row(
                number=record["Artikelnummer"],
                name=record["Bezeichnung"],
                price=Decimal(record["Preis"].replace(",", ".")),
                stock=int(record["Bestand"] or 0),
            )`;

/** An importer in Python that loses umlauts and thousands; its user writes German. */
export const brokenUmlauts: Tale = {
  cwd: '/home/jan/lager',
  turns: [
    {
      asks: 'Seit dem Import von gestern stehen im Lager lauter Fragezeichen statt Umlauten, und manche Preise sind tausendmal zu klein. Bitte find die Ursache. Die Originaldateien in eingang/ darfst du auf keinen Fall verändern.',
      steps: [
        read('lager/importer.py', IMPORTER),
        run(
          'file eingang/*.csv',
          `eingang/artikel-2026-09.csv: UTF-8 Unicode text
eingang/artikel-2026-10.csv: ISO-8859 text, with CRLF line terminators`,
        ),
        run(
          "grep -n '1\\.2' eingang/artikel-2026-10.csv | iconv -f latin1 | head -3",
          `4:A-1007;Küchenwaage;1.249,00;12
19:A-1044;Rührschüssel groß;1.2;3
77:A-1190;Gemüsehobel;1.219,50;40`,
        ),
        say(
          'Zwei Ursachen: Die Oktoberdatei ist ISO-8859-1, und errors="replace" macht aus jedem Umlaut ein Fragezeichen. Und "1.249,00" wird zu Decimal("1.249.00") – nein, zu einem Fehler; bei "1.249" ohne Komma wird daraus 1,249 statt 1249.',
        ),
      ],
    },
    {
      asks: 'Dann reparier beides. Preise immer als ganze Cent speichern, nie als Fließkommazahl. Zeilen, die man nicht eindeutig lesen kann, nicht raten, sondern in eine Datei abgelehnt.csv schreiben.',
      steps: [
        edit(
          'lager/importer.py',
          'with open(path, encoding="utf-8", errors="replace") as handle:',
          'with open(path, encoding=detect_encoding(path), newline="") as handle:',
        ),
        edit(
          'lager/importer.py',
          'price=Decimal(record["Preis"].replace(",", ".")),',
          'price_cents=parse_cents(record["Preis"]),',
        ),
        edit(
          'lager/money.py',
          '',
          `GERMAN_PRICE = re.compile(r"^\\d{1,3}(?:\\.\\d{3})*,\\d{2}$|^\\d+,\\d{2}$")

def parse_cents(text: str) -> int:
    if not GERMAN_PRICE.match(text):
        raise AmbiguousPrice(text)
    return int(text.replace(".", "").replace(",", ""))`,
        ),
        fail(
          'pytest tests/test_importer.py -q',
          `FAILED tests/test_importer.py::test_rejected_rows_are_written - FileNotFoundError: 'ausgang/abgelehnt.csv'
1 failed, 22 passed in 0.81s`,
        ),
        edit('lager/importer.py', 'REJECTED = Path("ausgang/abgelehnt.csv")', 'REJECTED = out_dir / "abgelehnt.csv"'),
        run('pytest -q', '64 passed in 2.13s'),
        run(
          'python -m lager.importer eingang/artikel-2026-10.csv --out ausgang --dry-run',
          `gelesen: 1412 Zeilen (ISO-8859-1)
abgelehnt: 9 Zeilen, siehe ausgang/abgelehnt.csv
Summe der Preise: 4218833 Cent`,
        ),
        say(
          'Behoben: 1403 von 1412 Zeilen sind eindeutig, 9 stehen in ausgang/abgelehnt.csv (darunter A-1044 mit "1.2"). Noch nicht importiert, nur --dry-run.',
        ),
      ],
    },
    {
      asks: 'Super. Und was sind das für neun Zeilen?',
      steps: [
        run('cut -d";" -f1,3 ausgang/abgelehnt.csv | head -4', 'A-1044;1.2\nA-1101;auf Anfrage\nA-1207;\nA-1310;12.50'),
      ],
    },
  ],
};
