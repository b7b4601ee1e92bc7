import type { Row } from './row.ts';

const says_ = (text: string) => ({ role: 'user', parts: [{ text }] });
const model = (...parts: readonly object[]) => ({ role: 'model', parts });
const answers = (...parts: readonly object[]) => ({ role: 'user', parts });
const asks = (name: string, more: object = {}) => ({ functionCall: { name, args: {} }, ...more });
const gives = (name: string) => ({ functionResponse: { name, response: { output: 'x' } } });
const talk = (...contents: readonly unknown[]) => ({ contents });

export const rows: readonly Row[] = [
  { what: 'no JSON', body: '{', says: /^Invalid JSON payload received\./, path: '' },
  {
    what: 'an unknown field',
    body: { ...talk(says_('hi')), messages: [] },
    says: 'Invalid JSON payload received. Unknown name "messages": Cannot find field.',
    path: 'messages',
  },
  {
    what: 'no contents',
    body: {},
    says: '* GenerateContentRequest.contents: contents is not specified\n',
    path: 'contents',
    shared: true,
  },
  {
    what: 'empty contents',
    body: talk(),
    says: '* GenerateContentRequest.contents: contents is not specified\n',
    path: 'contents',
    shared: true,
  },
  {
    what: 'an unknown role',
    body: talk({ role: 'assistant', parts: [{ text: 'x' }] }),
    says: 'Please use a valid role: user, model.',
    path: 'contents.0',
    shared: true,
  },
  {
    what: 'no parts',
    body: talk({ role: 'user', parts: [] }),
    says: '* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.\n',
    path: 'contents.0',
    shared: true,
  },
  {
    what: 'a part without data',
    body: talk({ parts: [{ thought: true }] }),
    says: "* GenerateContentRequest.contents[0].parts[0].data: required oneof field 'data' must have one initialized field\n",
    path: 'contents.0.parts.0',
    shared: true,
  },
  {
    what: 'a part with two data',
    body: talk({ parts: [{ text: 'x', inlineData: {} }] }),
    says: /oneof field 'data' is already set\. Cannot set 'inlineData'/,
    path: 'contents.0.parts.0',
    shared: true,
  },
  {
    what: 'an unknown field in a part',
    body: talk({ parts: [{ text: 'x', smell: 1 }] }),
    says: 'Invalid JSON payload received. Unknown name "smell" at \'contents[0].parts[0]\': Cannot find field.',
    path: 'contents.0.parts.0',
  },
  {
    what: 'an empty text',
    body: talk(says_('')),
    says: /^Unable to submit request because it has an empty text parameter/,
    path: 'contents.0.parts.0',
    shared: true,
  },
  {
    what: 'the model first',
    body: talk(model({ text: 'x' }), says_('y')),
    says: /begin with a user turn/,
    path: 'contents.0',
    shared: true,
  },
  {
    what: 'a call behind words of the model',
    body: talk(says_('x'), model({ text: 'a' }), model(asks('f')), answers(gives('f'))),
    says: 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
    path: 'contents.2',
    shared: true,
  },
  {
    what: 'too few responses',
    body: talk(says_('x'), model(asks('f'), asks('g')), answers(gives('f'))),
    says: 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    path: 'contents.1',
    shared: true,
  },
  {
    what: 'a response of no call',
    body: talk(answers(gives('f'))),
    says: /^Please ensure that function response turn comes immediately after a function call turn\./,
    path: 'contents.0',
    shared: true,
  },
  {
    what: 'a response of another name',
    body: talk(says_('x'), model(asks('f')), answers(gives('g'))),
    says: /^Please ensure that function response turn comes immediately after/,
    path: 'contents.2.parts.0',
    shared: true,
  },
  {
    what: 'a call without a name',
    body: talk(says_('x'), model(asks('')), answers(gives(''))),
    says: '* GenerateContentRequest.contents[1].parts[0].function_call.name: Name cannot be empty.\n',
    path: 'contents.1.parts.0',
    shared: true,
  },
  {
    what: 'a call without its signature',
    body: talk(says_('x'), model(asks('f')), answers(gives('f'))),
    says: /^Function call is missing a thought_signature in functionCall parts\./,
    path: 'contents.1.parts.0',
  },
  {
    what: 'a call with a false signature',
    body: talk(says_('x'), model(asks('f', { thoughtSignature: 'abc' })), answers(gives('f'))),
    says: 'Corrupted thought signature.',
    path: 'contents.1.parts.0',
  },
  {
    what: 'cached content that is not there',
    body: { ...talk(says_('x')), cachedContent: 'cachedContents/x' },
    status: 403,
    code: 'PERMISSION_DENIED',
    says: 'CachedContent not found (or permission denied)',
    path: 'cachedContent',
  },
];
