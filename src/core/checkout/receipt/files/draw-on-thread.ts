import { parentPort } from 'node:worker_threads'
import { drawPaper } from '../draw-paper.ts'
import type { DrawingResult, DrawingTask } from './drawing-thread.ts'

// Runs on the drawing thread.

parentPort?.on('message', (task: DrawingTask) => void answer(task))

async function answer({ paper, logo }: DrawingTask): Promise<void> {
  try {
    // Buffers cross as plain bytes.
    const file = await drawPaper(paper, logo && { ...logo, bytes: Buffer.from(logo.bytes) })
    report({ file: new Uint8Array(file) })
  } catch (error) {
    report({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

function report(result: DrawingResult): void {
  parentPort?.postMessage(result, 'file' in result ? [result.file.buffer as ArrayBuffer] : [])
}
