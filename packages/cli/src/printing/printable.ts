export { stripControls as printable } from '@palimpsest/terminal';
