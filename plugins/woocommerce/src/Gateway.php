<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Exception\ConflictException;
use Florin\Exception\FlorinException;
use Florin\Exception\InvalidRequestException;
use Florin\Exception\NotFoundException;
use Florin\Result\Payment;
use RuntimeException;
use WC_Order;
use WC_Payment_Gateway;
use WP_Error;

/** Florin among the payment methods: its settings, the way to the checkout, and refunds. */
final class Gateway extends WC_Payment_Gateway
{
    public const ID = 'florin';

    public function __construct()
    {
        $this->id = self::ID;
        $this->method_title = 'Florin';
        $this->method_description = __('Customers pay on the page of your own Florin and come back.', 'florin-payments');
        $this->supports = self::features();
        $this->has_fields = in_array('tokenization', $this->supports, true);
        $this->init_form_fields();
        $this->init_settings();
        $this->title = (string) $this->get_option('title');
        $this->description = (string) $this->get_option('description');
        add_action("woocommerce_update_options_payment_gateways_$this->id", [$this, 'process_admin_options']);
    }

    /** @return list<string> */
    public static function features(): array
    {
        if (Settings::get('saving') !== 'yes') {
            return ['products', 'refunds'];
        }

        return [
            'products', 'refunds', 'tokenization',
            'subscriptions', 'multiple_subscriptions', 'subscription_cancellation', 'subscription_suspension',
            'subscription_reactivation', 'subscription_amount_changes', 'subscription_date_changes',
        ];
    }

    /** In the classic checkout: a customer's saved methods, and the box that saves a new one. */
    public function payment_fields(): void
    {
        parent::payment_fields();
        if (!$this->supports('tokenization') || !is_user_logged_in()) {
            return;
        }
        $this->tokenization_script();
        $this->saved_payment_methods();
        $this->save_payment_method_checkbox();
    }

    public function init_form_fields(): void
    {
        $this->form_fields = Form::fields();
    }

    public function admin_options(): void
    {
        parent::admin_options();
        Form::buttons();
    }

    public function is_available(): bool
    {
        return parent::is_available() && Settings::baseUrl() !== '' && Settings::key() !== '';
    }

    public function get_transaction_url($order): string
    {
        $mode = (new OrderState($order))->mode();
        $merchant = Settings::endpoint($mode)['merchant'] ?? '';
        $this->view_transaction_url = $merchant === '' ? '' : Settings::baseUrl() . '/dashboard/' . str_pad($merchant, 8, '0', STR_PAD_LEFT) . "/$mode/payments?search=%s";

        return parent::get_transaction_url($order);
    }

    /** @return array<string, string> */
    public function process_payment($order_id): array
    {
        try {
            $token = $this->supports('tokenization') ? Tokens::chosen() : null;
            if ($token !== null) {
                return $this->paySaved((int) $order_id, $token->get_token());
            }
            $url = Lock::order((int) $order_id, fn ($order): string => $this->checkoutUrl(new OrderState($order)));

            return ['result' => 'success', 'redirect' => $url];
        } catch (FlorinException | RuntimeException $error) {
            Settings::log("Order $order_id could not be sent to Florin: {$error->getMessage()}");
            wc_add_notice(__('The payment page can’t be reached at the moment. Please try again.', 'florin-payments'), 'error');

            return ['result' => 'failure'];
        }
    }

    /** @return array<string, string> */
    private function paySaved(int $orderId, string $methodId): array
    {
        try {
            $payment = Lock::order($orderId, static fn ($order): Payment => Charging::order(new OrderState($order), $methodId, false));
        } catch (ConflictException | NotFoundException $error) {
            Settings::log("Order $orderId was not charged: {$error->getMessage()}");
            wc_add_notice(__('This saved method can’t be used right now. Please choose another way to pay.', 'florin-payments'), 'error');

            return ['result' => 'failure'];
        }
        $outcome = Charge::outcome($payment);
        if ($outcome === Charge::NEEDS_CUSTOMER) {
            return ['result' => 'success', 'redirect' => Request::inLanguage((string) $payment->checkoutUrl)];
        }
        $order = wc_get_order($orderId);
        if (($outcome === Charge::PAID || $outcome === Charge::WAITS) && $order instanceof WC_Order) {
            Renewing::remember($order, $methodId);

            return ['result' => 'success', 'redirect' => $order->get_checkout_order_received_url()];
        }
        wc_add_notice(__('The payment was declined, and no money was taken. Please choose another way to pay.', 'florin-payments'), 'error');

        return ['result' => 'failure'];
    }

    /** Where this customer pays this order: the open payment if there is one, else a new one. */
    private function checkoutUrl(OrderState $state): string
    {
        $order = $state->order;
        $save = $this->agreement($order);
        $newest = Attempt::newest($state);
        $payment = $newest->payment;
        $isSame = static fn (Payment $open): bool => $open->checkoutUrl !== null && $open->amountMinor === $state->totalMinor() && $open->currency === $order->get_currency() && $state->saves() === $save;
        if ($payment !== null) {
            Sync::apply($state, $payment);
            if ($order->is_paid() || $payment->status === 'success') {
                return $order->get_checkout_order_received_url();
            }
            if ($payment->status === 'pending' && $isSame($payment)) {
                return Request::inLanguage((string) $payment->checkoutUrl);
            }
            // The cart has changed since.
            $newest->end($payment);
        }
        $state->keep('_florin_save', $save);
        $order->save();
        $made = $newest->next(
            static fn (string $txRef): Payment => self::create(new Http($state->mode()), Request::of($order, $txRef) + Request::saving($order, $save)),
            $isSame,
        );
        if ($made->checkoutUrl === null) {
            Sync::apply($state, $made);

            return $order->get_checkout_order_received_url();
        }

        return Request::inLanguage($made->checkoutUrl);
    }

    /** What the customer is asked to agree to: nothing, charges on a schedule, or when something is due. */
    private function agreement(WC_Order $order): string
    {
        if (!$this->supports('tokenization') || $order->get_customer_id() === 0) {
            return '';
        }

        return match (true) {
            Renewing::isFor($order) => 'recurring',
            Tokens::isSavingAsked() => 'unscheduled',
            default => '',
        };
    }

    /** @param array<string, mixed> $request */
    private static function create(Http $http, array $request): Payment
    {
        try {
            return Payment::from($http->call('POST', '/api/payment', $request, mayRepeat: true));
        } catch (InvalidRequestException $error) {
            if ($error->errorCode === 'cannot_save' && ($request['save'] ?? '') === 'unscheduled') {
                // No network of the account can save: the sale matters more.
                Settings::log("Sent without saving: {$error->getMessage()}");
                unset($request['save'], $request['customer_ref']);
            } elseif (isset($request['items']) && array_keys($error->errors) === ['items']) {
                // The lines are for the customer to read: a name that Florin refuses must not cost the sale.
                Settings::log("Sent without its lines: {$error->getMessage()}");
                unset($request['items']);
            } else {
                throw $error;
            }

            return self::create($http, $request);
        }
    }

    /** @return true|WP_Error */
    public function process_refund($order_id, $amount = null, $reason = '')
    {
        try {
            return Lock::order((int) $order_id, static fn ($order) => Refunding::send(new OrderState($order), (string) $amount, (string) $reason));
        } catch (FlorinException | RuntimeException $error) {
            Settings::log("Order $order_id was not refunded: {$error->getMessage()}");

            return new WP_Error('florin_refund', $error->getMessage());
        }
    }
}
