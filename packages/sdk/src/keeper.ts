export type { ConversationStore, KeepOptions } from './conversations/keep-options.ts';
export { createKeeper } from './keeper/create-keeper.ts';
export type {
  AnswerWatch,
  FoundHow,
  Keeper,
  KeeperOptions,
  KeeperStatus,
  KeepRequest,
  KeptBody,
  KeptEvent,
  KeptRequest,
  ProviderRefusal,
  SendUpstream,
  UpstreamRequest,
} from './keeper/keeper-types.ts';
export { type RecallTool, recallTool } from './recall-tool.ts';
