import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const KNOWN = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A Chromium of this machine: `CHROMIUM`, or where Debian and others put it. */
export const CHROMIUM = [process.env.CHROMIUM ?? '', ...KNOWN].find((path) => path !== '' && existsSync(path));

/** Why tests of the page are skipped. */
export const WITHOUT =
  'There is no Chromium here (apt-get install chromium, or CHROMIUM=path): the page is not looked at.';

export const openChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', '--disable-gpu'] });
