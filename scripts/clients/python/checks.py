"""What every driver shares: where the gateway is, one line of JSON for each check, and samples."""
import json
import os
import sys

URL = os.environ['TOLLGATE_URL']
TOKEN = os.environ['TOLLGATE_TOKEN']
CHAT = 'sandbox-chat'
MESSAGES = 'sandbox-messages'
GENERATE = 'sandbox-generate'
PNG = (
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
)
PICTURE = f'data:image/png;base64,{PNG}'
WEATHER = {
    'type': 'object',
    'properties': {'city': {'type': 'string'}},
    'required': ['city'],
}


def check(name):
    """Runs the function at once. What it returns is the name of a loss; nothing means that all works."""

    def run(function):
        try:
            loss = function()
            report = {'check': name, 'result': 'loss' if loss else 'works', 'note': loss or ''}
        except Exception as error:  # noqa: BLE001
            report = {'check': name, 'result': 'no', 'note': f'{type(error).__name__}: {error}'[:400]}
        print(json.dumps(report), flush=True)
        return function

    return run


def expect(is_true, what):
    if not is_true:
        raise AssertionError(str(what)[:300])


def raises(kind, function):
    try:
        function()
    except kind as error:
        return error
    raise AssertionError(f'{kind.__name__} was not raised')


def version_of(package):
    from importlib.metadata import version

    print(json.dumps({'version': version(package)}), flush=True)


sys.stdout.reconfigure(encoding='utf-8')
