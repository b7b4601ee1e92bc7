export { createAgent } from './agent.ts';
export { type AboutAgentError, type AgentCode, AgentError, EXIT, exitCodeOf, explain } from './agent-error.ts';
export type { AgentEvent, Listener, TurnOutcome } from './agent-event.ts';
export type { Agent, AgentOptions, TurnEnd } from './agent-types.ts';
export { type ContextUse, contextUse, currentView, type UseLine } from './context-use.ts';
export { type Folder, folderAt } from './folder.ts';
export { chooseModel, type ModelChoice, type ModelWorld, PROVIDER_NAMES } from './models/choose-model.ts';
export { KNOWN_MODELS, type KnownModel, knownModel, type ProviderName } from './models/known-models.ts';
export type { Model, ModelEvent, ModelRequest, Stop, ToolDefinition } from './models/model.ts';
export { type OfflineModelOptions, offlineModel } from './models/offline/offline-model.ts';
export { summarizerOf } from './models/summarizer.ts';
export {
  type AskPermission,
  allowAll,
  askingPermission,
  type Permission,
  type PermissionAnswer,
  type PermissionAsk,
  refuseAll,
} from './permission.ts';
export { runAgent } from './run-agent.ts';
export { newToolbox } from './toolbox.ts';
export type { Tool, ToolAnswer, ToolRun } from './tools/tool.ts';
export { processWorld, type World } from './world.ts';
