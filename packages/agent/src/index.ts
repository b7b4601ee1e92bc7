export { type ApiName as ProviderName, KNOWN_MODELS, type KnownModel, knownModel } from '@palimpsest/wire';
export { type AboutAgentError, type AgentCode, AgentError, EXIT, exitCodeOf, explain } from './agent-error.ts';
export type {
  AfterToolAnswer,
  AgentHooks,
  BeforeToolAnswer,
  EndedCall,
  HookedCall,
  HookMoment,
} from './hooks/agent-hooks.ts';
export type { HookCommand, HookCommands } from './hooks/command-hooks.ts';
export type { SettingsHooks, Trust } from './hooks/trust-gate.ts';
export type { Agent, AgentOptions, TurnEnd } from './loop/agent.ts';
export type { AgentEvent, Listener, TurnOutcome } from './loop/agent-event.ts';
export { type ContextUse, contextUse, currentView, type UseLine } from './loop/context-use.ts';
export { createAgent } from './loop/create-agent.ts';
export { chooseModel, type ModelChoice, type ModelWorld, PROVIDER_NAMES } from './models/choose-model.ts';
export type { Model, ModelEvent, ModelRequest, Stop, ToolDefinition } from './models/model.ts';
export { type OfflineModelOptions, offlineModel } from './models/offline/offline-model.ts';
export { summarizerOf } from './models/summarizer.ts';
export { runAgent } from './program/run-agent.ts';
export type { RunOptions } from './program/run-options.ts';
export type {
  ServerCommand,
  ServerEvent,
  ServerReport,
  ServerState,
  SettingsServers,
} from './servers/server-settings.ts';
export type { CompactAsk } from './tools/compact-ask.ts';
export type { Tool, ToolAnswer, ToolRun } from './tools/tool.ts';
export { newToolbox } from './tools/toolbox.ts';
export { type Folder, folderAt } from './world/folder.ts';
export {
  type AskPermission,
  allowAll,
  askingPermission,
  type Permission,
  type PermissionAnswer,
  type PermissionAsk,
  type PermissionRule,
  refuseAll,
} from './world/permission.ts';
export { processWorld, type World } from './world/world.ts';
