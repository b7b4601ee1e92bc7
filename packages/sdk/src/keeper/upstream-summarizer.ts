import type { Summarizer, SummaryAnswer } from '@palimpsest/core';
import { type ApiName, apis, type Live, type ProviderSummarizer, providerSummarizer } from '@palimpsest/wire';
import type { LiveTurn } from '../conversations/conversation-state.ts';
import type { SendUpstream } from './keeper-types.ts';

/**
 * Summaries by each conversation's own model: its newest request says by which wire, which model and with which credentials.
 * Those are handed to `send` and to nobody else; a conversation keeps none but its newest request's, in memory.
 */
export function upstreamSummarizer(send: SendUpstream): ProviderSummarizer {
  return {
    window: 0,
    summarize: async () => failToSummarize(),
    sharing: (live) => summarizerOf(send, live as () => LiveTurn | undefined),
  };
}

function summarizerOf(send: SendUpstream, live: () => LiveTurn | undefined): Summarizer {
  return {
    get window() {
      return live()?.window ?? 0;
    },
    get sharesPrefix() {
      return live() !== undefined;
    },
    async summarize(request, options) {
      const now = live();
      const api = now === undefined ? undefined : apiOf(now);
      if (now === undefined || api === undefined) return failToSummarize();
      const { model, window, credentials } = now;
      const summarizer = providerSummarizer({
        api,
        model,
        window,
        endpoint: (body, { headers, ...how }) =>
          send(body, { wire: api, model, credentials, headers: { ...now.headers, ...headers }, ...how }),
      });
      return summarizer.sharing(() => now).summarize(request, options);
    },
  };
}

const apiOf = ({ wire }: Live): ApiName | undefined =>
  (Object.keys(apis) as ApiName[]).find((name) => apis[name].wire.name === wire);

function failToSummarize(): SummaryAnswer {
  throw new Error('no request of this conversation has come yet that a summary could be asked behind');
}
