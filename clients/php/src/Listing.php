<?php

declare(strict_types=1);

namespace Florin;

use Closure;
use Generator;
use IteratorAggregate;

/**
 * A list of any length. Loop over it with foreach; pages are fetched as you go.
 *
 * @template T
 * @implements IteratorAggregate<int, T>
 */
final class Listing implements IteratorAggregate
{
    /**
     * @internal
     * @param Closure(array<string, string|int>): Page<T> $fetch
     */
    public function __construct(private readonly Closure $fetch)
    {
    }

    /**
     * One page: the first, or the one after another.
     *
     * @param Page<T>|null $before
     * @return Page<T>
     */
    public function page(?Page $before = null): Page
    {
        return ($this->fetch)($before === null ? [] : $before->next);
    }

    /** @return Generator<int, T> */
    public function getIterator(): Generator
    {
        $page = null;
        do {
            $page = $this->page($page);
            foreach ($page->items as $item) {
                yield $item;
            }
        } while (!$page->isLast());
    }

    /**
     * At most so many.
     *
     * @return list<T>
     */
    public function toArray(int $limit): array
    {
        $items = [];
        foreach ($this as $item) {
            if (count($items) === $limit) {
                break;
            }
            $items[] = $item;
        }

        return $items;
    }
}
