<?php

declare(strict_types=1);

namespace Florin;

use Closure;

/** @template T */
final class Page
{
    /**
     * @param list<T> $items
     * @param array<string, mixed> $meta what Florin says about the whole list, such as totals
     * @param array<string, string|int> $next asks for the page after this one; empty on the last
     */
    private function __construct(
        public readonly array $items,
        public readonly array $meta,
        public readonly array $next,
    ) {
    }

    /**
     * Most lists go on by cursor, and projects by page number.
     *
     * @internal
     * @template U
     * @param array<string, mixed> $answer
     * @param Closure(array<string, mixed>): U $make
     * @return self<U>
     */
    public static function from(array $answer, Closure $make): self
    {
        $meta = $answer['meta'] ?? [];
        $page = $meta['current_page'] ?? 0;
        $next = match (true) {
            isset($meta['next_cursor']) => ['cursor' => (string) $meta['next_cursor']],
            $page < ($meta['last_page'] ?? 0) => ['page' => $page + 1],
            default => [],
        };

        return new self(array_map($make, array_values($answer['data'])), $meta, $next);
    }

    public function isLast(): bool
    {
        return $this->next === [];
    }
}
