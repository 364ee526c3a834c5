"""Files that want to harm whoever reads them, made here."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from pypdf import PdfReader, PdfWriter

TYPES = b'<?xml version="1.0"?><Types xmlns="x"/>'
RELATIONS = (
    b'<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
    b'relationships"><Relationship Id="r1" Type="http://x/officeDocument" Target="%s"/>'
    b"</Relationships>"
)
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def zipped(parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def docx(body: str, **parts: bytes) -> bytes:
    """`parts` are further parts under word/, the dot of their names written as two underscores."""
    document = f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
    more = {f"word/{name.replace('__', '.')}": content for name, content in parts.items()}
    return zipped(
        {
            "[Content_Types].xml": TYPES,
            "_rels/.rels": RELATIONS % b"word/document.xml",
            "word/document.xml": document.encode(),
        }
        | more
    )


def paragraph(text: str, run: str = "") -> str:
    return f"<w:p><w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def entity_bomb() -> bytes:
    levels = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    part = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a0 "ha">{levels}]><x>&a9;</x>'
    return docx(paragraph("calmo"), footnotes__xml=part.encode())


def zip_bomb(*, megabytes: int = 100) -> bytes:
    return zipped({f"{n}.txt": bytes(1024 * 1024 * 25) for n in range(megabytes // 25)})


def huge_image(kind: str) -> bytes:
    """A picture of 30,000 × 30,000 by its header, of some bytes on the disk."""
    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + header
    png = (
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    )
    if kind == "docx":
        return docx(paragraph("calmo"), **{"media/image1__png": png})
    return zipped(
        {
            "[Content_Types].xml": TYPES,
            "_rels/.rels": RELATIONS % b"xl/workbook.xml",
            "xl/workbook.xml": b"<workbook/>",
            "xl/media/image1.png": png,
        }
    )


def inflated_sheet() -> bytes:
    """Two cells at the opposite ends of the largest sheet there is."""
    main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    relations = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    sheet = (
        f"<worksheet {main}><sheetData>"
        '<row r="1"><c r="A1"><v>1</v></c></row>'
        '<row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData></worksheet>'
    )
    book = (
        f'<workbook {main} {relations}><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets>'
        "</workbook>"
    )
    rels = (
        b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        b'<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
        b'relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
    )
    return zipped(
        {
            "[Content_Types].xml": TYPES,
            "_rels/.rels": RELATIONS % b"xl/workbook.xml",
            "xl/workbook.xml": book.encode(),
            "xl/_rels/workbook.xml.rels": rels,
            "xl/worksheets/sheet1.xml": sheet.encode(),
        }
    )


def pdf(content: bytes, *, filters: str = "", extra: str = "") -> bytes:
    """One page with this content stream."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> " + extra.encode() + b" >>",
        b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), filters.encode(), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start)
    return bytes(out)


def stacked_filters(layers: int = 5) -> bytes:
    """Some hundred bytes that become gigabytes, layer by layer."""
    data = zlib.compress(bytes(200 * 1024 * 1024), 1)
    for _layer in range(layers - 1):
        data = zlib.compress(data, 9)
    names = " ".join(["/FlateDecode"] * layers)
    return pdf(data, filters=f"/Filter [ {names} ]")


def words_in_pdf(text: str, *, before: str = "") -> bytes:
    return pdf(f"BT /F1 12 Tf {before} 50 700 Td ({text}) Tj ET".encode())


def locked_pdf() -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(words_in_pdf("segredo"))))
    writer.encrypt("senha", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()
