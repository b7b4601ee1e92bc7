import { connect, createServer, type Socket } from 'node:net';
import type { PostgresAddress } from '@palimpsest/testing/postgres-server';

/** What stands between a client and the server, and can fail as networks do. */
export interface Cable {
  readonly address: PostgresAddress;
  /** Ends every connection through it now. */
  cut(): void;
  /** From now on nothing comes back from the server, though it hears all; until `false`. What was held back is lost. */
  mute(isMute: boolean): void;
  /** Calls back with every piece that the server is about to send. True: it is not sent, and the connection ends. */
  onAnswer: ((bytes: Buffer) => boolean) | undefined;
  close(): Promise<void>;
}

/** Lays one to the server, on a port of its own. */
export async function layCable(server: PostgresAddress): Promise<Cable> {
  const sockets = new Set<Socket>();
  let isMute = false;
  const listener = createServer((near) => {
    const far = connect(server.port, server.host);
    const end = (): void => {
      for (const socket of [near, far]) {
        sockets.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', end);
    }
    near.on('data', (bytes) => far.write(bytes));
    far.on('data', (bytes: Buffer) => {
      if (isMute) return;
      if (cable.onAnswer?.(bytes)) end();
      else near.write(bytes);
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const bound = listener.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const cable: Cable = {
    address: { ...server, port },
    onAnswer: undefined,
    cut() {
      for (const socket of [...sockets]) socket.destroy();
    },
    mute(now) {
      isMute = now;
    },
    async close() {
      cable.cut();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
  return cable;
}
