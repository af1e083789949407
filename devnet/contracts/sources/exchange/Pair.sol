// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "../tokens/ERC20.sol";
import {IERC20} from "../tokens/IERC20.sol";

/// @title A constant-product pool
/// @notice Holds two tokens and trades them so that the product of the reserves never falls. A fee of 0.3 % stays in
/// the pool and belongs to the holders of its shares.
/// @dev Tokens are sent in before a call; the pool compares its balances with the reserves it remembers. Use the router.
contract Pair is ERC20 {
    event Mint(address indexed sender, uint256 amount0, uint256 amount1);
    event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to);
    event Swap(
        address indexed sender,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out,
        address indexed to
    );
    event Sync(uint112 reserve0, uint112 reserve1);

    /// @notice Called again while a call is in progress.
    error Locked();

    /// @notice What came in does not pay for what should go out.
    error InsufficientInput();

    /// @notice The pool has not that much.
    error InsufficientLiquidity();

    /// @notice More tokens than the pool can count.
    error Overflow();

    /// @dev Shares locked forever on the first mint, so that one share can never become too dear to buy.
    uint256 private constant MINIMUM_SHARES = 1000;

    address public immutable token0;
    address public immutable token1;

    uint112 private _reserve0;
    uint112 private _reserve1;
    bool private transient _entered;

    modifier once() {
        if (_entered) revert Locked();
        _entered = true;
        _;
        _entered = false;
    }

    constructor(address token0_, address token1_) ERC20("Firstlight Pool Share", "FLP", 18) {
        token0 = token0_;
        token1 = token1_;
    }

    /// @notice What the pool holds, as of the last call.
    function reserves() public view returns (uint256, uint256) {
        return (_reserve0, _reserve1);
    }

    /// @notice Issues shares to `to` for the tokens that were sent in.
    function mint(address to) external once returns (uint256 shares) {
        (uint256 reserve0, uint256 reserve1) = reserves();
        (uint256 balance0, uint256 balance1) = _balances();
        uint256 amount0 = balance0 - reserve0;
        uint256 amount1 = balance1 - reserve1;

        if (totalSupply == 0) {
            shares = _squareRoot(amount0 * amount1) - MINIMUM_SHARES;
            _mint(address(0), MINIMUM_SHARES);
        } else {
            shares = _smaller(amount0 * totalSupply / reserve0, amount1 * totalSupply / reserve1);
        }
        if (shares == 0) revert InsufficientInput();
        _mint(to, shares);
        _remember(balance0, balance1);
        emit Mint(msg.sender, amount0, amount1);
    }

    /// @notice Takes back the shares that were sent in and pays their part of both tokens to `to`.
    function burn(address to) external once returns (uint256 amount0, uint256 amount1) {
        (uint256 balance0, uint256 balance1) = _balances();
        uint256 shares = balanceOf[address(this)];
        amount0 = shares * balance0 / totalSupply;
        amount1 = shares * balance1 / totalSupply;
        if (amount0 == 0 || amount1 == 0) revert InsufficientLiquidity();

        _burn(address(this), shares);
        IERC20(token0).transfer(to, amount0);
        IERC20(token1).transfer(to, amount1);
        _remember(balance0 - amount0, balance1 - amount1);
        emit Burn(msg.sender, amount0, amount1, to);
    }

    /// @notice Pays the named amounts to `to`, if what was sent in is worth it.
    function swap(uint256 amount0Out, uint256 amount1Out, address to) external once {
        (uint256 reserve0, uint256 reserve1) = reserves();
        if (amount0Out >= reserve0 || amount1Out >= reserve1) revert InsufficientLiquidity();
        if (amount0Out > 0) IERC20(token0).transfer(to, amount0Out);
        if (amount1Out > 0) IERC20(token1).transfer(to, amount1Out);

        (uint256 balance0, uint256 balance1) = _balances();
        uint256 amount0In = balance0 - (reserve0 - amount0Out);
        uint256 amount1In = balance1 - (reserve1 - amount1Out);
        uint256 product = (balance0 * 1000 - amount0In * 3) * (balance1 * 1000 - amount1In * 3);
        if (product < reserve0 * reserve1 * 1000 ** 2) revert InsufficientInput();

        _remember(balance0, balance1);
        emit Swap(msg.sender, amount0In, amount1In, amount0Out, amount1Out, to);
    }

    function _remember(uint256 balance0, uint256 balance1) private {
        if (balance0 > type(uint112).max || balance1 > type(uint112).max) revert Overflow();
        _reserve0 = uint112(balance0);
        _reserve1 = uint112(balance1);
        emit Sync(_reserve0, _reserve1);
    }

    function _balances() private view returns (uint256, uint256) {
        return (IERC20(token0).balanceOf(address(this)), IERC20(token1).balanceOf(address(this)));
    }

    function _smaller(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }

    /// @dev Newton's method, from above.
    function _squareRoot(uint256 value) private pure returns (uint256 root) {
        root = value;
        uint256 next = value / 2 + 1;
        while (next < root) {
            root = next;
            next = (value / next + next) / 2;
        }
    }
}
