# Readers of forms that upstreams on Python use: Starlette and Werkzeug. Takes one JSON object per line with the content type
# and the body as base64, and answers one line with what each of them saw; with --check only says whether they are there.
import asyncio
import base64
import hashlib
import io
import json
import sys

from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartParser
from werkzeug.formparser import parse_form_data


def digest(data):
    return hashlib.sha256(data).hexdigest()


async def read_by_starlette(content_type, body):
    async def pieces():
        yield body

    parser = MultiPartParser(Headers({"content-type": content_type}), pieces(), max_part_size=100_000_000)
    form = await parser.parse()
    fields, files = {}, []
    for name, value in form.multi_items():
        if isinstance(value, UploadFile):
            files.append({"field": name, "sha256": digest(await value.read())})
        else:
            fields.setdefault(name, []).append(value)
    return {"fields": fields, "files": files}


def read_by_werkzeug(content_type, body):
    environ = {
        "REQUEST_METHOD": "POST",
        "CONTENT_TYPE": content_type,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
    }
    _, form, uploads = parse_form_data(environ, silent=False)
    fields = {name: values for name, values in form.lists()}
    files = [{"field": name, "sha256": digest(one.stream.read())} for name, one in uploads.items(multi=True)]
    return {"fields": fields, "files": files}


def answer(read):
    try:
        return read()
    except Exception as error:  # what a reader refuses is an answer too
        return {"error": f"{type(error).__name__}: {error}"}


if "--check" not in sys.argv:
    for line in sys.stdin:
        asked = json.loads(line)
        content_type, body = asked["content_type"], base64.b64decode(asked["body"])
        print(
            json.dumps(
                {
                    "starlette": answer(lambda: asyncio.run(read_by_starlette(content_type, body))),
                    "werkzeug": answer(lambda: read_by_werkzeug(content_type, body)),
                }
            ),
            flush=True,
        )
