"""The cohere package: chat, embed and rerank of version 2."""
import cohere

from checks import CHAT, PICTURE, TOKEN, URL, WEATHER, check, expect, raises, version_of

version_of('cohere')
client = cohere.ClientV2(api_key=TOKEN, base_url=URL)
TOOL = {'type': 'function', 'function': {'name': 'get_weather', 'description': 'Weather', 'parameters': WEATHER}}
HELLO = [{'role': 'user', 'content': 'Hello'}]


@check('prompt')
def prompt():
    expect('You said: Hello' in client.chat(model=CHAT, messages=HELLO).message.content[0].text, 'no text')
    vectors = client.embed(model='sandbox-embedding', texts=['a'], input_type='search_query', embedding_types=['float'])
    expect(len(vectors.embeddings.float_) == 1, vectors)
    expect(client.rerank(model='sandbox-rerank', query='a', documents=['a', 'b']).results, 'no ranking')


@check('stream')
def stream():
    events = client.chat_stream(model=CHAT, messages=HELLO)
    text = ''.join(event.delta.message.content.text or '' for event in events if event.type == 'content-delta')
    expect('You said: Hello' in text, text)


@check('tools')
def tools():
    messages = [{'role': 'user', 'content': 'get_weather now'}]
    said = client.chat(model=CHAT, messages=messages, tools=[TOOL]).message
    messages += [
        {'role': 'assistant', 'tool_calls': said.tool_calls},
        {'role': 'tool', 'tool_call_id': said.tool_calls[0].id, 'content': 'rain'},
    ]
    expect('rain' in client.chat(model=CHAT, messages=messages, tools=[TOOL]).message.content[0].text, 'no rain')


@check('schema')
def schema():
    form = {'type': 'json_object', 'schema': WEATHER}
    expect('city' in client.chat(model=CHAT, messages=HELLO, response_format=form).message.content[0].text, 'no city')


@check('images')
def images():
    content = [{'type': 'text', 'text': 'What is this?'}, {'type': 'image_url', 'image_url': {'url': PICTURE}}]
    expect(client.chat(model=CHAT, messages=[{'role': 'user', 'content': content}]).message.content, 'no answer')


@check('files')
def files():
    expect(client.chat(model=CHAT, messages=HELLO, documents=['Buy milk']).message.content, 'no answer')
    return 'documents in the request are passed as text; datasets are not served'


@check('errors')
def errors():
    raises(cohere.NotFoundError, lambda: client.chat(model='nobody', messages=HELLO))
    raises(cohere.BadRequestError, lambda: client.chat(model=CHAT, messages=[]))
    wrong = cohere.ClientV2(api_key='sk-wrong', base_url=URL)
    raises(cohere.UnauthorizedError, lambda: wrong.chat(model=CHAT, messages=HELLO))
