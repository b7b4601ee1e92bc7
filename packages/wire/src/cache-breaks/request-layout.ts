import { asFields, asList, type Fields, isFields } from '@palimpsest/core/json';

/** How long a cache keeps what nobody reads. */
export const TTL_MS = { '5m': 5 * 60_000, '1h': 60 * 60_000, '24h': 24 * 60 * 60_000 } as const;

/** The parts of a request in the order in which caches read them, free of breakpoints. */
export interface RequestLayout {
  readonly model: string;
  readonly tools: readonly string[];
  readonly toolNames: readonly (string | undefined)[];
  readonly system: string;
  readonly messages: readonly string[];
  readonly options: string;
  readonly ttlMs: number;
  /** Positions of the breakpoints, counted in blocks. */
  readonly marks: readonly number[];
}

/** What changes the prompt besides what is said in it. */
const OPTIONS = ['tool_choice', 'thinking', 'speed', 'prompt_cache_key', 'toolConfig'];

/** Reads a request of any of the four formats; `model` is for those that name it elsewhere. */
export function layOut(request: unknown, model?: string): RequestLayout {
  const body = asFields(request);
  const list = body.messages ?? body.input ?? body.contents;
  const messages = typeof list === 'string' ? [{ role: 'user', content: list }] : asList(list);
  const system = body.system ?? body.instructions ?? body.systemInstruction ?? body.system_instruction;
  const tools = asList(body.tools);
  const lead = messages.findIndex((message) => !['system', 'developer'].includes(String(asFields(message).role)));
  const { marks, isShort } = findMarks(body, [
    ...tools,
    ...asList(system),
    ...messages.flatMap((message) => blocksOf(asFields(message).content)),
  ]);
  const ttl = body.prompt_cache_retention === '24h' ? '24h' : marks.length > 0 && !isShort ? '1h' : '5m';
  return {
    model: model ?? String(body.model),
    tools: tools.map(spell),
    toolNames: tools.map(nameTool),
    system: spell([blocksOf(system), lead < 0 ? messages : messages.slice(0, lead)]),
    messages: messages.map(spell),
    options: JSON.stringify(OPTIONS.map((key) => body[key] ?? null)),
    ttlMs: TTL_MS[ttl],
    marks,
  };
}

function findMarks(
  body: Fields,
  blocks: readonly unknown[],
): { readonly marks: readonly number[]; readonly isShort: boolean } {
  const marks: number[] = [];
  let isShort = false;
  const note = (control: unknown, at: number): void => {
    marks.push(at);
    isShort ||= asFields(control).ttl !== '1h';
  };
  for (const [i, block] of blocks.entries()) {
    const { cache_control: control, content } = asFields(block);
    const isInside = asList(content).some((piece) => isFields(asFields(piece).cache_control));
    if (isFields(control) || isInside) note(control, i + 1);
  }
  if (isFields(body.cache_control)) note(body.cache_control, blocks.length);
  return { marks, isShort };
}

function nameTool(tool: unknown): string | undefined {
  const name = asFields(tool).name ?? asFields(asFields(tool).function).name;
  return typeof name === 'string' ? name : undefined;
}

const blocksOf = (content: unknown): readonly unknown[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content : [content];

/** As JSON, without what only steers the cache; a string of content is one text block. */
function spell(value: unknown): string {
  return JSON.stringify(value, function (this: unknown, key, field: unknown) {
    if (key === 'cache_control' || key === 'prompt_cache_breakpoint') return undefined;
    if (key === 'content' && typeof field === 'string' && (asFields(this).role ?? null) !== null)
      return [{ type: 'text', text: field }];
    return field;
  });
}
