export { type AuditOptions, type AuditReport, auditRecording, type CompactionAudit } from './audit/audit-recording.ts';
export { type CacheBreak, cacheBreaksOf } from './audit/cache-breaks.ts';
export { type AuditVerdict, joinReports, judgeAudit } from './audit/judge-audit.ts';
export { writeMarkdown } from './audit/write-markdown.ts';
export { type Inspector, inspectForeign, inspectOwn } from './inspector.ts';
export { EXAMPLE_PRICES, followPreset, inspectRecording, type Lived, type WhatIf } from './model/inspect-recording.ts';
export { inspectSession, type SessionAbout } from './model/inspect-session.ts';
export * from './model/inspection.ts';
export { tellUnread } from './model/tell.ts';
export {
  answerPath,
  answerRequest,
  refuseStranger,
  type Served,
  type ServeOptions,
} from './serve/answer-request.ts';
export { type EmbedOptions, embedInspection, USUAL_ROOM } from './serve/embed-inspection.ts';
export { followLive } from './serve/follow-live.ts';
export { relayRequest, type Serving, serveInspection } from './serve/listen.ts';
export { type PageCode, readPage } from './serve/read-page.ts';
export { type ListedSession, listSession, renderList } from './serve/render-list.ts';
export { type PageData, renderPage } from './serve/render-page.ts';
