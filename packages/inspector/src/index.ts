export { followPreset, inspectRecording, type Lived, USUAL_PRICES, type WhatIf } from './model/inspect-recording.ts';
export { inspectSession, type SessionAbout } from './model/inspect-session.ts';
export * from './model/inspection.ts';
export { type Inspector, inspectForeign, inspectOwn } from './model/inspector.ts';
export { answerRequest, type Served, type ServeOptions } from './serve/answer-request.ts';
export { type EmbedOptions, embedInspection, USUAL_ROOM } from './serve/embed-inspection.ts';
export { type Serving, serveInspection } from './serve/listen.ts';
export { type PageCode, readPage } from './serve/read-page.ts';
export { type PageData, renderPage } from './serve/render-page.ts';
