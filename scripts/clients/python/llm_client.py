"""llm, the command-line tool, with a model of extra-openai-models.yaml."""
import json
import os
import subprocess
import sys
from pathlib import Path

from checks import CHAT, TOKEN, URL, WEATHER, check, expect, version_of

version_of('llm')
folder = Path(os.environ['LLM_USER_PATH'])
folder.mkdir(parents=True, exist_ok=True)
(folder / 'extra-openai-models.yaml').write_text(
    f"""- model_id: tollgate
  model_name: {CHAT}
  api_base: {URL}/v1
  api_key_name: tollgate
  supports_tools: true
  supports_schema: true
  vision: true
"""
)
LLM = str(Path(sys.executable).parent / 'llm')


def llm(*words, **more):
    done = subprocess.run([LLM, *words], capture_output=True, text=True, timeout=120, **more)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return done.stdout


llm('keys', 'set', 'tollgate', '--value', TOKEN)


@check('prompt')
def prompt():
    expect('You said: Hello' in llm('-m', 'tollgate', '--no-stream', 'Hello'), 'no text')


@check('stream')
def stream():
    expect('You said: Hello' in llm('-m', 'tollgate', 'Hello'), 'no text')


@check('tools')
def tools():
    said = llm('-m', 'tollgate', '-T', 'llm_version', 'use the tool llm_version')
    expect('The tool answered' in said, said)


@check('schema')
def schema():
    expect(json.loads(llm('-m', 'tollgate', '--schema', json.dumps(WEATHER), 'As JSON'))['city'], 'no city')


@check('errors')
def errors():
    try:
        llm('-m', 'tollgate', '--key', 'sk-wrong', 'Hello')
    except RuntimeError as error:
        expect('not valid' in str(error), error)
        return
    raise AssertionError('no error')
