/** What `/` says: that this is it, and what to set in which client. */
export const sayHello = (
  url: string,
): string => `Palimpsest gateway: it keeps conversations inside their context windows.

Set as the base URL of your agent or SDK:

  Claude Code, Anthropic SDK   ANTHROPIC_BASE_URL=${url}
  OpenAI SDKs, Qwen Code       OPENAI_BASE_URL=${url}/v1
  Gemini CLI, Google GenAI     GOOGLE_GEMINI_BASE_URL=${url}

or let it be set for one run: palimpsest run claude

  ${url}/livez      it runs
  ${url}/readyz     it takes requests
  ${url}/inspect    what the model saw of each conversation, with the key that was printed at the start, or one of the gateway's
  ${url}/metrics    counts, in the text format of Prometheus
`;
