<?php

declare(strict_types=1);

namespace FlorinWoo;

use Automattic\WooCommerce\Caches\OrderCache;
use Closure;
use RuntimeException;
use WC_Order;

/** One request at a time per order: the customer's return and Florin's callback arrive together. */
final class Lock
{
    private const WAIT_S = 20;

    /**
     * @template T
     * @param Closure(WC_Order): T $work gets the order as it is now
     * @return T
     */
    public static function order(int $orderId, Closure $work): mixed
    {
        global $wpdb;
        // MySQL's locks are the server's, not the database's.
        $name = 'florin_' . substr(md5(DB_NAME . $wpdb->prefix), 0, 12) . "_$orderId";
        if ($wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, %d)', $name, self::WAIT_S)) !== '1') {
            throw new RuntimeException(__('The order is being changed by another request. Try again.', 'florin-payments'));
        }
        try {
            return $work(self::fresh($orderId));
        } finally {
            $wpdb->query($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $name));
        }
    }

    /** What was read before the lock may be old. */
    private static function fresh(int $orderId): WC_Order
    {
        if (class_exists(OrderCache::class)) {
            wc_get_container()->get(OrderCache::class)->remove($orderId);
        }
        wp_cache_delete("order-items-$orderId", 'orders');
        clean_post_cache($orderId);
        $order = wc_get_order($orderId);
        if (!$order instanceof WC_Order) {
            throw new RuntimeException("There is no order $orderId");
        }

        // Orders kept as posts have a cache of their own for what plugins remember: a return that read the order before it waited here would note a payment twice.
        $order->read_meta_data(true);

        return $order;
    }
}
