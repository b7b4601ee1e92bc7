export type {
  Answered,
  ConversationStore,
  FoundHow,
  GroupRecall,
  KeepOptions,
  KeptEvent,
  ListedConversation,
  LiveLimits,
  LiveSession,
  PassedEvent,
  PassedReason,
  RequestInfo,
  SessionStart,
  Unread,
  Whose,
} from './conversations/keep-options.ts';
export { type AnswerListener, type AnswerWatch, watchAnswer } from './http/watch-answer.ts';
export { createKeeper } from './keeper/create-keeper.ts';
export type {
  Keeper,
  KeeperOptions,
  KeeperStatus,
  KeepRequest,
  KeptBody,
  KeptRequest,
  ProviderRefusal,
  SendUpstream,
  UpstreamRequest,
} from './keeper/keeper-types.ts';
export { type RecallTool, recallTool } from './recall-tool.ts';
